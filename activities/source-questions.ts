import type { ActivityDeps } from './deps.ts'

export type AskDeps = Pick<ActivityDeps, 'http' | 'now' | 'config'>

/**
 * One small request per source of an area, by name, parsed as the ingestion does. Rejects with
 * SourceUnavailable or SourceRejected. undefined: the source is off
 */
export type Questions = Record<string, () => Promise<unknown> | undefined>
