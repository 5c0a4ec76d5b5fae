import { createTransport } from 'nodemailer'
import type { Notice } from '../../db/incidents/notices.ts'

/** Where operators are told of incidents. Absent: not there. */
export interface ReceiverConfig {
  webhookUrl: string | null
  slackUrl: string | null
  email: { smtpUrl: string; from: string; to: string } | null
  /** Where docs/runbooks.md can be read. */
  runbooksUrl: string
}

/** `send` throws with the reason when the receiver did not take it. */
export interface Receiver {
  name: 'webhook' | 'slack' | 'email'
  send: (notices: readonly Notice[]) => Promise<void>
}

const DEADLINE_MS = 10_000

export function createReceivers({ webhookUrl, slackUrl, email, runbooksUrl }: ReceiverConfig): Receiver[] {
  const runbook = ({ rule }: Notice) => `${runbooksUrl}#${rule.toLowerCase()}`
  const text = (notices: readonly Notice[]) =>
    notices.map((notice) => `${headline(notice)}\n${runbook(notice)}`).join('\n\n')
  const receivers: Receiver[] = []
  if (webhookUrl !== null)
    receivers.push({
      name: 'webhook',
      send: (notices) => post(webhookUrl, alertmanagerMessage(notices, runbook)),
    })
  if (slackUrl !== null)
    receivers.push({ name: 'slack', send: (notices) => post(slackUrl, { text: text(notices) }) })
  if (email !== null) {
    const transport = createTransport({
      url: email.smtpUrl,
      connectionTimeout: DEADLINE_MS,
      greetingTimeout: DEADLINE_MS,
      socketTimeout: DEADLINE_MS,
    })
    receivers.push({
      name: 'email',
      async send(notices) {
        await transport.sendMail({
          from: email.from,
          to: email.to,
          subject: `[Sluice] ${subjectOf(notices)}`,
          text: text(notices),
        })
      },
    })
  }
  return receivers
}

/** Why a receiver took nothing. What `fetch` throws says it in its cause only. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** `page OutboxStuck: An accepted command has waited for 5 min` */
function headline({ state, severity, rule, summary }: Notice): string {
  return state === 'firing' ? `${severity} ${rule}: ${summary}` : `resolved ${rule}: ${summary}`
}

function subjectOf(notices: readonly Notice[]): string {
  const [first] = notices
  return notices.length === 1 ? headline(first!) : `${headline(first!)} (and ${notices.length - 1} more)`
}

/**
 * The body of Alertmanager's webhook receiver, version 4, which most receivers of alerts read:
 * https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
function alertmanagerMessage(notices: readonly Notice[], runbook: (notice: Notice) => string) {
  return {
    version: '4',
    groupKey: '{}',
    truncatedAlerts: 0,
    status: notices.some(({ state }) => state === 'firing') ? 'firing' : 'resolved',
    receiver: 'sluice',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: '',
    alerts: notices.map((notice) => ({
      status: notice.state,
      labels: {
        alertname: notice.rule,
        severity: notice.severity,
        ...(notice.subject !== '' && { subject: notice.subject }),
      },
      annotations: { summary: notice.summary, runbook_url: runbook(notice) },
      startsAt: notice.firedAt.toISOString(),
      endsAt: notice.resolvedAt?.toISOString() ?? '0001-01-01T00:00:00Z',
      generatorURL: '',
      fingerprint: notice.incidentId,
    })),
  }
}

/** Tells a service that notices silence that incidents are looked for. */
export async function heartbeat(url: string | null): Promise<void> {
  if (url === null) return
  const { ok, status } = await ask(url)
  if (!ok) throw new Error(`the heartbeat was answered with status ${status}`)
}

async function post(url: string, body: object): Promise<void> {
  const { ok, status } = await ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!ok) throw new Error(`status ${status}`)
}

/** The text of the answer is not read: it could be large, and it could hold the address, which may be secret. */
async function ask(url: string, init: RequestInit = {}): Promise<Pick<Response, 'ok' | 'status'>> {
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  await response.body?.cancel()
  return response
}
