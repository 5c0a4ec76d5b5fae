export const UNIQUE_VIOLATION = '23505'
/** Deadlock: the statement was rolled back. */
export const DEADLOCK = '40P01'
/** The table does not exist. */
export const UNDEFINED_TABLE = '42P01'
/** A lock was not free within `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
/** A concurrent transaction changed rows that this snapshot has read. */
export const SERIALIZATION_FAILURE = '40001'

/** The SQLSTATE of an error from Postgres, else undefined or another code. */
export const sqlStateOf = (error: unknown): unknown => (error as { code?: unknown }).code
