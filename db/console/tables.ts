import type { Generated, GeneratedAlways } from 'kysely'

export interface OperatorActionRow {
  id: GeneratedAlways<string>
  at: Generated<Date>
  operator: string
  action: string
  subject: string
}

/** A backup that was restored and checked. */
export interface RestoreCheckRow {
  id: GeneratedAlways<string>
  /** the moment that was restored */
  backup_at: Date
  checked_at: Generated<Date>
  operator: string
  note: string
}

declare module '../schema.ts' {
  interface Database {
    operator_actions: OperatorActionRow
    restore_checks: RestoreCheckRow
  }
}
