import { unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { alertBody, alertSchema, describeAlert } from './alert.ts'
import { newAlert } from './new-alert.ts'

export const postAlert = defineRoute({
  method: 'POST',
  path: '/alerts',
  tag: 'Events',
  summary: 'Add an alert',
  description:
    'The account gets an event when the rule fires: in its stream, in GET /events, and at its webhook endpoints. A limit fires once for each crossing: it is armed again when the price is behind it by half a percent. A price that is past the limit already is no crossing. Moves of a portfolio are measured from its value when the rule last fired or was added. Your plan limits alerts.',
  requestBody: alertBody,
  response: alertSchema,
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ body }, { account, db, now }) {
    if (!account) throw unavailable()
    const { alert, write } = await newAlert({ db, now }, { account, body })
    return { body: describeAlert(alert), asOf: null, writes: [write] }
  },
})
