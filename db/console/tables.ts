import type { Generated, GeneratedAlways } from 'kysely'

export interface OperatorActionRow {
  id: GeneratedAlways<string>
  at: Generated<Date>
  operator: string
  action: string
  subject: string
}

declare module '../schema.ts' {
  interface Database {
    operator_actions: OperatorActionRow
  }
}
