import { createWebhookSender } from '../../../activities/events/send-webhook.ts'
import { deliverWebhooks } from '../../../activities/events/deliver-webhooks.ts'
import { publishLoop } from '../../../activities/events/publish-loop.ts'
import { openDb } from '../../../db/connect.ts'

// `events-process.ts DATABASE KEY HOSTS`: publishes events and delivers them to endpoints, as a worker does. `KEY`
// opens their secrets.

const [databaseUrl, privateKey, hosts] = process.argv.slice(2) as [string, string, string]
// As many as a worker has.
const { pool, close } = openDb({ url: databaseUrl, maxConnections: 10, applicationName: 'bench' })
const sender = createWebhookSender({ allowed: new Set(hosts.split(',')), resolve: async () => [] })
const end = new AbortController()
const ending = end.signal
const loops = Promise.all([
  publishLoop({ pool, ending }),
  deliverWebhooks({
    pool,
    ending,
    sender,
    privateKeys: [privateKey],
    now: () => new Date(),
    random: Math.random,
    log: { error: console.error },
  }),
])
process.send!({})
process.on('disconnect', () => {
  end.abort()
  void loops.then(() => Promise.all([sender.close(), close()])).finally(() => process.exit(0))
})
