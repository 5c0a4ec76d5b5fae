/** The note of a schedule that is paused until its first run, in the first ingestion, has ended. */
export const WAITS_FOR_FIRST_RUN = 'waits for its first run'

/** Workflow id of the first ingestion. */
export const FIRST_INGESTION = 'first-ingestion'

/** Workflow id of the first run of a schedule. */
export const firstRunId = (scheduleId: string): string => `first-${scheduleId}`
