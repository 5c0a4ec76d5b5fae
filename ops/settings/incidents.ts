import { mailServer, text, webAddress } from './kinds.ts'
import type { Section } from './variable.ts'

export const INCIDENTS = {
  ALERT_WEBHOOK_URL: {
    value: webAddress,
    readBy: 'cli, worker',
    text: "Address that is told of incidents in the format of Alertmanager's webhooks: [observability.md](observability.md#incidents)",
  },
  ALERT_SLACK_URL: {
    value: webAddress,
    readBy: 'cli, worker',
    text: 'Incoming webhook of Slack, or of a chat that reads the same, such as Mattermost',
  },
  ALERT_EMAIL_TO: {
    value: text,
    readBy: 'cli, worker',
    text: 'Address that gets e-mails; requires `SMTP_URL` and `ALERT_EMAIL_FROM`',
  },
  ALERT_EMAIL_FROM: { value: text, readBy: 'cli, worker', text: 'Sender of these e-mails' },
  SMTP_URL: {
    value: mailServer,
    readBy: 'cli, worker',
    text: 'Mail server, as `smtps://USER:PASSWORD@HOST:465` or `smtp://USER:PASSWORD@HOST:587`',
  },
  ALERT_HEARTBEAT_URL: {
    value: webAddress,
    readBy: 'worker',
    text: 'Address that is asked every 30 seconds while a worker looks for incidents. A service such as Healthchecks tells you when that stops',
  },
  RUNBOOKS_URL: {
    value: text,
    default: 'docs/runbooks.md',
    readBy: 'cli, worker',
    text: 'Where you keep [runbooks.md](runbooks.md), for the links in messages',
  },
} as const satisfies Section
