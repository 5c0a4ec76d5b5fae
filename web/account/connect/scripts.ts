import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type pg from 'pg'
import { servePath } from '../../parts/serve-path.ts'
import { walletScript } from '../../parts/siwe.ts'
import { findKit } from './find-kit.ts'

/** Sends the result of a popup to the window that opened it. */
export const FINISH_SCRIPT = '/connect/finish.js'
/** Talks to the wallet of the browser. */
export const WALLET_SCRIPT = '/connect/wallet.js'

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
const SCRIPTS = { [FINISH_SCRIPT]: read('./finish.js'), [WALLET_SCRIPT]: walletScript }
const FOR_APPS = read('./connect.js')

/** Adds the scripts of the screens, and the one that apps load. All are public. */
export function addScripts(app: FastifyInstance, { pool }: { pool: pg.Pool }): void {
  for (const [path, text] of Object.entries(SCRIPTS))
    servePath(app, path, { GET: async (_request, reply) => send(reply, text) })
  servePath(app, '/connect/:kitId/connect.js', {
    async GET(request, reply) {
      const { kitId } = request.params as { kitId: string }
      const { mode } = await findKit(pool, kitId)
      // Pages of any app may load it.
      void reply.header('cross-origin-resource-policy', 'cross-origin')
      return send(reply, FOR_APPS.replace('__MODE__', mode))
    },
  })
}

const send = (reply: FastifyReply, text: string) =>
  reply
    .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' })
    .header('x-content-type-options', 'nosniff')
    .send(text)
