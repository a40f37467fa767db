// Generated from src/ui/dashboard/shell/pages.ts by `npm run generate`. Do not edit.

/** The first parts of the addresses of the dashboard. The page at each of them, and below it, finds the rest itself. */
export const dashboardPages = [
  'hosts',
  'fit',
  'consumers',
  'projects',
  'events',
  'providers',
  'search',
] as const;
