import { userInfo } from 'node:os'
import { readReceiverConfig } from '../../activities/incidents/config.ts'
import { createReceivers, reasonOf } from '../../activities/incidents/receivers.ts'
import {
  acknowledge,
  endSilence,
  readOpenIncidents,
  readSilences,
  silence,
} from '../../db/incidents/operator.ts'
import type { Notice } from '../../db/incidents/notices.ts'
import type { Db } from '../../db/schema.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import type { INCIDENTS } from '../specs/watch.ts'

type Spec = typeof INCIDENTS

export async function run(given: Given<Spec>): Promise<void> {
  if (given.action === 'test') return tryReceivers(given)
  const operator = userInfo().username
  await withOperatorDatabase(async (db) => {
    switch (given.action) {
      case '':
        return list(db, given)
      case 'acknowledge':
        if (!(await acknowledge(db, { id: idOf(given.id), operator })))
          throw new CommandError(
            `no incident ${given.id} fires now and waits for somebody; see "sluice incidents"`,
          )
        return printRecord({ acknowledged: given.id }, given)
      case 'silence': {
        const { rule, subject = null, hours, reason } = given
        return printRecord({ silence: await silence(db, { rule, subject, hours, reason, operator }) }, given)
      }
      case 'silences':
        return printRows(await readSilences(db), given)
      case 'unsilence':
        if (!(await endSilence(db, { id: idOf(given.id), operator })))
          throw new CommandError(`no silence ${given.id} lasts; see "sluice incidents silences"`)
        return printRecord({ ended: given.id }, given)
    }
  })
}

async function list(db: Db, given: GivenOf<Spec, ''>): Promise<void> {
  const open = await readOpenIncidents(db)
  const { runbooksUrl } = readReceiverConfig(operatorEnvironment())
  const withRunbooks = open.map((one) => ({ ...one, runbook: `${runbooksUrl}#${one.rule.toLowerCase()}` }))
  if (given.json) return console.log(toJson(withRunbooks))
  if (open.length === 0) return console.log('Nothing is wrong.')
  printRows(
    withRunbooks.map((one) => ({
      id: one.id,
      severity: one.severity,
      rule: one.rule,
      since: one.firedAt,
      what: one.summary,
      told: one.told.join(', ') || one.failures.join('; ') || 'nobody',
      state: stateOf(one),
    })),
    given,
  )
  console.log(`\nWhat to do: ${runbooksUrl}, a section for each rule.`)
}

function stateOf({
  acknowledgedBy,
  silencedUntil,
}: Awaited<ReturnType<typeof readOpenIncidents>>[number]): string {
  if (acknowledgedBy !== null) return `acknowledged by ${acknowledgedBy}`
  return silencedUntil === null ? '' : `silenced until ${silencedUntil.toISOString()}`
}

/** Fails when a receiver does not take the message. */
async function tryReceivers(given: GivenOf<Spec, 'test'>): Promise<void> {
  const receivers = createReceivers(readReceiverConfig(operatorEnvironment()))
  if (receivers.length === 0)
    throw new CommandError('nobody is told: set ALERT_WEBHOOK_URL, ALERT_SLACK_URL or ALERT_EMAIL_TO')
  const results = await Promise.all(
    receivers.map(async (receiver) => ({
      receiver: receiver.name,
      failure: await receiver.send([testNotice(receiver.name)]).then(() => null, reasonOf),
    })),
  )
  printRows(
    given.json
      ? results
      : results.map(({ receiver, failure }) => ({ receiver, result: failure ?? 'took it' })),
    given,
  )
  const refused = results.filter(({ failure }) => failure !== null)
  if (refused.length > 0)
    throw new CommandError(`${refused.map(({ receiver }) => receiver).join(', ')} did not take the message`)
}

const testNotice = (receiver: string): Notice => ({
  incidentId: '0',
  receiver,
  state: 'firing',
  rule: 'NotReady',
  subject: 'test',
  severity: 'ticket',
  summary: 'This is a test by "sluice incidents test". Nothing is wrong.',
  firedAt: new Date(),
  resolvedAt: null,
})

function idOf(given: string): string {
  if (!/^\d{1,18}$/.test(given)) throw new CommandError(`"${given}" is not an id`)
  return given
}
