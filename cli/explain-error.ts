import { NewerSchemaError } from '../db/refuse-newer-schema.ts'
import { SettingsError } from '../ops/settings/settings-error.ts'
import { CommandError } from './command.ts'

/** Explains an error to an operator in sentences: what happened and what to do. */
export function explainError(error: unknown): string {
  if (SENTENCES.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '' } = error as NodeJS.ErrnoException
  if (FILES[code]) return explainFile(error)
  const database = DATABASE[code]
  if (database !== undefined) return `the database says "${reasonOf(error)}": ${database}`
  const reason = reasonOf(error)
  if (/^E[A-Z]+$/.test(code) || CONNECTION.test((error as Error).message))
    return `a connection failed (${reason}): run "sluice doctor" to see what does not answer`
  return `unexpected: ${reason}. Run "sluice doctor" to look for the cause, or set LOG_LEVEL=debug to see where it happened`
}

/** Explains why a file or folder cannot be used and what to do. Returns the message of any other error. */
export function explainFile(error: unknown): string {
  const { code = '', path } = error as NodeJS.ErrnoException
  return FILES[code]?.(path ?? 'the file') ?? reasonOf(error)
}

/**
 * Returns the message of an error, of the errors inside an AggregateError, or of the cause of a failed fetch.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(reasonOf))].join(', ')
  if (error.message === FETCH_FAILED && error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}

/** Errors whose message is written for an operator. */
const SENTENCES = [CommandError, SettingsError, NewerSchemaError]
const FETCH_FAILED = 'fetch failed'

const CONNECTION = /timeout|terminated|socket hang up|fetch failed/i

const FILES: Record<string, (path: string) => string> = {
  EACCES: (path) => `this user may not read or write ${path}: give it the permission, or name another folder`,
  EPERM: (path) => `this user may not read or write ${path}: give it the permission, or name another folder`,
  EROFS: (path) => `${path} is on a disk that is read-only: name a folder on another disk`,
  ENOSPC: (path) => `the disk of ${path} is full: free some space, then run the same command again`,
  EDQUOT: (path) => `the disk quota of this user is used up at ${path}: free some space`,
  ENOTDIR: (path) => `${path} is a file, or lies below a file: name a folder`,
  EISDIR: (path) => `${path} is a folder: name a file`,
  ENOENT: (path) => `${path} does not exist: name another path`,
  EEXIST: (path) => `${path} exists already: name another path`,
}

/** Advice by Postgres error code. */
const DATABASE: Record<string, string> = {
  '28000': 'correct the role in DATABASE_URL',
  '28P01': 'correct the role and the password in DATABASE_URL',
  '3D000': 'correct the database in DATABASE_URL, or create it',
  '3F000': 'run "sluice migrate" first',
  '42P01': 'run "sluice migrate" first',
  '42703': 'run "sluice migrate" first',
  '42883': 'run "sluice migrate" first',
  '42501': 'use the role that owns the database in DATABASE_URL',
  '53100': 'its disk is full; free some space',
  '53300': 'it has too many connections; raise max_connections, or try again later',
  '57014': 'it is busy; try again later',
  '57P01': 'it was stopped; start it again',
  '57P03': 'it is starting or stopping; try again in a moment',
}
