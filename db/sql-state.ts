export const UNIQUE_VIOLATION = '23505'
/** A statement was undone, whole, because it and others waited for each other. */
export const DEADLOCK = '40P01'
/** No such table. */
export const UNDEFINED_TABLE = '42P01'
/** A lock was not to be had in `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** What a snapshot has seen was changed by somebody else meanwhile. */
export const SERIALIZATION_FAILURE = '40001'

/** The code that Postgres gave an error, should it come from there. */
export const sqlStateOf = (error: unknown): unknown => (error as { code?: unknown }).code
