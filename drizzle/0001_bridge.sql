CREATE TABLE "bridge" (
	"id" integer DEFAULT 1 NOT NULL,
	"url" text NOT NULL,
	"mode" text NOT NULL,
	"epoch" bigint DEFAULT 1 NOT NULL,
	"until" timestamp with time zone,
	"carrier" uuid,
	"carrier_epoch" bigint DEFAULT 0 NOT NULL,
	"carrier_until" timestamp with time zone,
	"cursor" text,
	"compared_at" timestamp with time zone,
	CONSTRAINT "bridge_pkey" PRIMARY KEY("id"),
	CONSTRAINT "bridge_id" CHECK (id = 1),
	CONSTRAINT "bridge_mode" CHECK (mode in ('following', 'toLeading', 'leading', 'toFollowing', 'passing', 'ended'))
);
--> statement-breakpoint
CREATE TABLE "bridge_differences" (
	"noun" text NOT NULL,
	"key" text NOT NULL,
	"reason" text NOT NULL,
	"found_at" timestamp with time zone DEFAULT now() NOT NULL,
	"tried_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bridge_differences_pkey" PRIMARY KEY("noun","key")
);
--> statement-breakpoint
CREATE TABLE "bridge_gateways" (
	"gateway" uuid NOT NULL,
	"epoch" bigint NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bridge_gateways_pkey" PRIMARY KEY("gateway")
);
--> statement-breakpoint
CREATE TABLE "bridge_notes" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bridge_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"noun" text NOT NULL,
	"key" text NOT NULL,
	"gateway" uuid,
	"noted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone,
	"made" jsonb,
	CONSTRAINT "bridge_notes_pkey" PRIMARY KEY("id")
);
--> statement-breakpoint
CREATE TABLE "bridge_reads" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bridge_reads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"route" text NOT NULL,
	"request" text NOT NULL,
	"version" text NOT NULL,
	"difference" text,
	"other_time" double precision NOT NULL,
	"own_time" double precision NOT NULL,
	"choice_fits" boolean,
	"choice_rank" double precision,
	CONSTRAINT "bridge_reads_pkey" PRIMARY KEY("id")
);
