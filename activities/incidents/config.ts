import { type Environment, readSettings } from '../../ops/settings/read-settings.ts'
import { SettingsError } from '../../ops/settings/settings-error.ts'
import type { ReceiverConfig } from './receivers.ts'

const MAIL = ['ALERT_EMAIL_TO', 'ALERT_EMAIL_FROM', 'SMTP_URL'] as const

export function readReceiverConfig(env: Environment): ReceiverConfig {
  const read = readSettings(env, {
    optional: ['ALERT_WEBHOOK_URL', 'ALERT_SLACK_URL', 'RUNBOOKS_URL', ...MAIL],
  })
  const { ALERT_EMAIL_TO: to, ALERT_EMAIL_FROM: from, SMTP_URL: smtpUrl } = read
  const missing = MAIL.filter((name) => read[name] === undefined)
  if (to !== undefined && missing.length > 0)
    throw new SettingsError(missing.map((name) => `ALERT_EMAIL_TO needs ${name}, which is not set`))
  return {
    webhookUrl: read.ALERT_WEBHOOK_URL ?? null,
    slackUrl: read.ALERT_SLACK_URL ?? null,
    email: to && from && smtpUrl ? { to, from, smtpUrl } : null,
    runbooksUrl: read.RUNBOOKS_URL,
  }
}

/** null: nobody notices silence */
export const readHeartbeatUrl = (env: Environment): string | null =>
  readSettings(env, { optional: ['ALERT_HEARTBEAT_URL'] }).ALERT_HEARTBEAT_URL ?? null
