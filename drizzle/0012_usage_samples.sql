CREATE TABLE "usage_samples" (
	"at" timestamp with time zone PRIMARY KEY NOT NULL,
	"totals" jsonb NOT NULL
);
