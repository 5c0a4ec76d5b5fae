import { once } from 'node:events'
import { listWebhooks } from '../../db/events/operator-read.ts'
import { isWebhookSecret } from '../../db/values/webhook-signature.ts'
import { CommandError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRows } from '../print.ts'
import type { WEBHOOKS } from '../specs/webhooks.ts'
import { createWebhookReceiver } from '../webhook-receiver.ts'

export async function run(given: Given<typeof WEBHOOKS>): Promise<void> {
  if (given.action === 'receive') return receive(given)
  printRows(await withOperatorDatabase(listWebhooks), given)
}

/** Runs until it is interrupted. */
async function receive({ secret, port }: GivenOf<typeof WEBHOOKS, 'receive'>): Promise<void> {
  if (!isWebhookSecret(secret))
    throw new CommandError('--secret is not the secret of an endpoint: give whsec_ and all that follows it')
  const server = createWebhookReceiver({ secret, print: (line) => console.log(line) })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: Error) => {
    throw new CommandError(`cannot listen on port ${port}: ${error.message}`)
  })
  console.log(`Receiving at http://127.0.0.1:${port}. Ctrl-C ends it.`)
  await once(server, 'close')
}
