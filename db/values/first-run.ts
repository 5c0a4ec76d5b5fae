/** Note of a schedule that is paused until the first ingestion has run it once. */
export const WAITS_FOR_FIRST_RUN = 'waits for its first run'

/** Workflow id of the first ingestion. */
export const FIRST_INGESTION = 'first-ingestion'

/** Workflow id of the first run of a schedule. */
export const firstRunId = (scheduleId: string): string => `first-${scheduleId}`
