import type { ActivityDeps } from './deps.ts'

export type AskDeps = Pick<ActivityDeps, 'http' | 'now' | 'config'>

/**
 * Something small to ask each source of an area, by its name, read as the ingestion reads it: rejects with SourceUnavailable
 * or SourceRejected. Undefined: the source is off.
 */
export type Questions = Record<string, () => Promise<unknown> | undefined>
