import { parseArgs } from 'node:util'
import { listKeys } from '../../db/metering/operator-read.ts'
import { createKey, revokeKey } from '../../db/metering/write.ts'
import { parseInstant } from '../../db/values/time.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'

const USAGE = `sluice keys create --account ACCOUNT --name NAME [--read-only] [--opens LIST] [--expires DATE]
sluice keys list --account ACCOUNT
sluice keys revoke --account ACCOUNT --prefix PREFIX
ACCOUNT is an id of "sluice accounts list", or a name. LIST: what the key opens, parted by commas: tags as in /v1/docs
("Coins") and endpoints ("GET /wallet/balance"). DATE: YYYY-MM-DD (UTC midnight) or RFC 3339`

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      prefix: { type: 'string' },
      'read-only': { type: 'boolean', default: false },
      opens: { type: 'string' },
      expires: { type: 'string' },
    },
  })
  const { account, name, prefix } = values
  if (!account) throw new CommandError(USAGE)
  switch (positionals[0]) {
    case 'create': {
      if (!name) throw new CommandError(USAGE)
      const limits = {
        readOnly: values['read-only'],
        ...(values.opens !== undefined && { opens: await opensOf(values.opens) }),
        ...(values.expires !== undefined && { expiresAt: instantOf(values.expires) }),
      }
      const { key } = await withAccount(account, (db, accountId) =>
        createKey(db, { accountId, name, ...limits }),
      )
      console.log(`${key}\nIt is shown this once: only its hash is stored.`)
      return 0
    }
    case 'list':
      console.table(await withAccount(account, (db, accountId) => listKeys(db, { accountId })))
      return 0
    case 'revoke': {
      if (!prefix) throw new CommandError(USAGE)
      const { revoked } = await withAccount(account, (db, accountId) => revokeKey(db, { accountId, prefix }))
      console.log(revoked > 0 ? `revoked ${revoked}; dead within 5 seconds` : 'no such key')
      return revoked > 0 ? 0 : 1
    }
    default:
      throw new CommandError(USAGE)
  }
}

async function opensOf(list: string): Promise<string[]> {
  const [{ openable }, { routes }] = await Promise.all([
    import('../../api/openable.ts'),
    import('../../api/routes.ts'),
  ])
  const { tags, endpoints } = openable(routes)
  const items = list.split(',').map((item) => item.trim())
  const unknown = items.filter((item) => !tags.includes(item) && !endpoints.includes(item))
  if (unknown.length > 0)
    throw new CommandError(`nothing is called ${unknown.join(', ')}; tags are ${tags.join(', ')}`)
  return items
}

function instantOf(text: string): Date {
  const instant = parseInstant(text)
  if (!instant) throw new CommandError(`not a date: ${text}`)
  return instant
}
