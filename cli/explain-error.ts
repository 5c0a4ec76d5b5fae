import { NewerSchemaError } from '../db/refuse-newer-schema.ts'
import { SettingsError } from '../ops/settings/settings-error.ts'
import { CommandError } from './command.ts'

/** What an operator reads of an error: what happened and what to do, in sentences. */
export function explainError(error: unknown): string {
  if (SENTENCES.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '' } = error as NodeJS.ErrnoException
  if (FILES[code]) return explainFile(error)
  const database = DATABASE[code]
  if (database !== undefined) return `the database says "${reasonOf(error)}": ${database}`
  const reason = reasonOf(error)
  if (/^E[A-Z]+$/.test(code) || CONNECTION.test((error as Error).message))
    return `a connection failed (${reason}): see "sluice doctor", which says what does not answer`
  return `unexpected: ${reason}. "sluice doctor" looks for the cause; LOG_LEVEL=debug shows where it happened`
}

/** Why a file or folder cannot be used, and what to do; of another error, its message. */
export function explainFile(error: unknown): string {
  const { code = '', path } = error as NodeJS.ErrnoException
  return FILES[code]?.(path ?? 'the file') ?? reasonOf(error)
}

/** The message of an error; of one that gathers others, theirs; of one of fetch, that of what caused it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(reasonOf))].join(', ')
  if (error.message === FETCH_FAILED && error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || (error as NodeJS.ErrnoException).code || error.name
}

/** Errors whose message is what an operator should read. */
const SENTENCES = [CommandError, SettingsError, NewerSchemaError]
const FETCH_FAILED = 'fetch failed'

const CONNECTION = /timeout|terminated|socket hang up|fetch failed/i

const FILES: Record<string, (path: string) => string> = {
  EACCES: (path) => `this user may not read or write ${path}: give it the right, or name another folder`,
  EPERM: (path) => `this user may not read or write ${path}: give it the right, or name another folder`,
  EROFS: (path) => `${path} is on a disk that is read-only: name a folder on another one`,
  ENOSPC: (path) => `the disk of ${path} is full: free some of it, then run the same command again`,
  EDQUOT: (path) => `this user's share of the disk of ${path} is used up: free some of it`,
  ENOTDIR: (path) => `${path} is a file, or below one: name a folder`,
  EISDIR: (path) => `${path} is a folder: name a file`,
  ENOENT: (path) => `there is no ${path}: name another one`,
  EEXIST: (path) => `${path} is there already: name another one`,
}

/** By Postgres' error codes. */
const DATABASE: Record<string, string> = {
  '28000': 'correct the role in DATABASE_URL',
  '28P01': 'correct role and password in DATABASE_URL',
  '3D000': 'correct the database in DATABASE_URL, or create it',
  '3F000': 'run "sluice migrate" first',
  '42P01': 'run "sluice migrate" first',
  '42703': 'run "sluice migrate" first',
  '42883': 'run "sluice migrate" first',
  '42501': 'use the role that owns the database in DATABASE_URL',
  '53100': 'its disk is full; free some of it',
  '53300': 'it has too many connections; raise max_connections, or try again later',
  '57014': 'it is busy; try again later',
  '57P01': 'it was stopped; start it again',
  '57P03': 'it is starting or stopping; try again in a moment',
}
