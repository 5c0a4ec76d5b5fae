import type { AlertType } from './event-types.ts'

/** When a rule fires, as its account states it. */
export type AlertRule = Readonly<Record<string, number | string>>

/** A write that the API decides on and that `apply_alert_writes` applies together with the charge. */
export type AlertWrite =
  | {
      kind: 'alert-create'
      id: string
      type: AlertType
      /** Id of the coin, portfolio or market. */
      subject: string
      rule: AlertRule
      /** false: its value is already where it fires, which is no crossing */
      armed: boolean
      /** Of a portfolio now; null: unknown, or the rule is about something else. */
      valueUsd: string | null
      /** null: every endpoint that wants the type */
      endpointId: string | null
      createdAt: Date
      /** Alerts that the plan allows. */
      most: number
    }
  | { kind: 'alert-delete'; ids: readonly string[] }
