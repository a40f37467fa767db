// Tells drizzle-kit where the tables and migrations are. It never connects: `generate` compares with its own last snapshot.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'postgresql', schema: './src/db/schema/schema.ts', out: './drizzle' });
