import type { GeneratedAlways, Generated } from 'kysely'

export type Severity = 'page' | 'ticket'

export interface Incident {
  id: GeneratedAlways<string>
  rule: string
  subject: string
  severity: Severity
  summary: string
  since: Date
  fired_at: Date | null
  resolved_at: Date | null
  acknowledged_at: Date | null
  acknowledged_by: string | null
}

export interface IncidentNotice {
  incident_id: string
  receiver: string
  state: 'firing' | 'resolved'
  sent_at: Date | null
  tries: number
  next_try_at: Date | null
  failure: string | null
}

export interface IncidentSilence {
  id: GeneratedAlways<string>
  rule: string
  subject: string | null
  until: Date
  reason: string
  created_by: string
  created_at: Generated<Date>
}

declare module '../schema.ts' {
  interface Database {
    incidents: Incident
    incident_notices: IncidentNotice
    incident_silences: IncidentSilence
  }
}
