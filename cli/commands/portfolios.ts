import { parseArgs } from 'node:util'
import {
  deleteTransaction,
  listTransactions,
  moveTransaction,
  splitTransaction,
} from '../../db/portfolios/correct-transactions.ts'
import {
  type ExchangeKey,
  labelExchange,
  listExchangeTransactions,
  moveExchange,
  splitExchange,
  undoExchange,
} from '../../db/portfolios/correct-exchange.ts'
import { LABEL_ROLES, listMovements } from '../../db/chain/label-movements.ts'
import { labelWallet, readWallet } from '../../db/portfolios/label-wallet.ts'
import {
  createPortfolio,
  deletePortfolio,
  kindOf,
  listPortfolios,
  renamePortfolio,
  setAccountCostMethod,
  setCostMethod,
} from '../../db/portfolios/operator.ts'
import { COST_METHODS, type CostMethod } from '../../db/values/cost-methods.ts'
import { parseInstant } from '../../db/values/time.ts'
import { isUuid } from '../../db/values/uuid.ts'
import type { Db } from '../../db/connect.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const USAGE = `sluice portfolios list --account ACCOUNT
sluice portfolios create --account ACCOUNT --name NAME   one whose transactions are stated by hand
sluice portfolios rename ID --name NAME
sluice portfolios method ID ${COST_METHODS.join('|')}     --account ACCOUNT instead of ID: of all of them together
sluice portfolios delete ID
sluice portfolios transactions ID [--limit N]            of an exchange: the newest, with their corrections
sluice portfolios movements ID HASH                      what a transaction of a wallet did
Of a manual portfolio:
sluice portfolios move TRANSACTION [--date DATE] [--to ID]
sluice portfolios split TRANSACTION --count COUNT        takes so much of it into one of its own
sluice portfolios drop TRANSACTION
Of a wallet, by its hash; of an exchange, by KIND:KEY as in its list:
sluice portfolios label ID TRANSACTION ${LABEL_ROLES.join('|')}|auto [--movement N | --part N]   what it was
Of an exchange alone:
sluice portfolios move ID TRANSACTION [--part N] [--date DATE] [--to ID]
sluice portfolios split ID TRANSACTION --count COUNT     takes so much of it into a part: says its number
sluice portfolios undo ID TRANSACTION                    back to what the exchange states`

/** What changes a history has its figures computed anew from its day on, by the worker. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      name: { type: 'string' },
      date: { type: 'string' },
      to: { type: 'string' },
      count: { type: 'string' },
      movement: { type: 'string' },
      part: { type: 'string', default: '0' },
      limit: { type: 'string', default: '50' },
    },
  })
  const { account, name } = values
  const part = numberOf(values.part)
  const [command, subject, word, label] = positionals
  switch (command) {
    case 'list':
      if (!account) break
      console.table(await withAccount(account, (db, accountId) => listPortfolios(db, { accountId })))
      return
    case 'create':
      if (!account || !isName(name)) break
      console.log(
        await withAccount(
          account,
          async (db, accountId) =>
            (await createPortfolio(db, { accountId, name, now: new Date() })).portfolioId,
        ),
      )
      return
    case 'rename':
      if (!isName(name)) break
      return onOne(subject, 'portfolio', (db, id) => renamePortfolio(db, { id, name }))
    case 'method':
      if (account) {
        const method = methodOf(subject)
        return withAccount(account, (db, accountId) => setAccountCostMethod(db, { accountId, method }))
      }
      return onOne(subject, 'portfolio', (db, id) => setCostMethod(db, { id, method: methodOf(word) }))
    case 'delete':
      return onOne(subject, 'portfolio', (db, id) => deletePortfolio(db, { id }))
    case 'transactions':
      return onOne(subject, 'portfolio', async (db, portfolioId) => {
        const kind = await kindOf(db, portfolioId)
        if (kind === 'manual') console.table(await listTransactions(db, { portfolioId }))
        else if (kind === 'exchange')
          console.table(await listExchangeTransactions(db, { portfolioId, limit: numberOf(values.limit) }))
        return kind === 'manual' || kind === 'exchange'
      })
    case 'move': {
      const at = values.date === undefined ? undefined : dateOf(values.date)
      const portfolioId = values.to === undefined ? undefined : idOf(values.to)
      if (!at && portfolioId === undefined) break
      if (word !== undefined)
        return onExchange({ subject, word }, (db, one) =>
          moveExchange(db, { ...one, part, at, to: portfolioId, now: new Date() }),
        )
      return onOne(subject, 'transaction', (db, id) => moveTransaction(db, { id, at, portfolioId }))
    }
    case 'split': {
      const { count } = values
      if (count === undefined || !/^-?\d{1,18}(\.\d{1,18})?$/.test(count)) break
      if (word !== undefined)
        return onExchange({ subject, word }, async (db, one) => {
          const split = await splitExchange(db, { ...one, count, now: new Date() })
          if ('refusal' in split) return split.refusal
          console.log(split.part)
          return null
        })
      return onOne(subject, 'transaction', (db, id) => splitTransaction(db, { id, count, now: new Date() }))
    }
    case 'drop':
      return onOne(subject, 'transaction', (db, id) => deleteTransaction(db, { id }))
    case 'undo':
      if (!word) break
      return onExchange({ subject, word }, undoExchange)
    case 'movements':
      if (!word) break
      return onOne(subject, 'portfolio', async (db, id) => {
        const wallet = await readWallet(db, id)
        if (wallet) console.table(await listMovements(db, { ...wallet, hash: word }))
        return wallet !== null
      })
    case 'label': {
      const role = label === 'auto' ? null : LABEL_ROLES.find((known) => known === label)
      const seq = values.movement === undefined ? null : Number(values.movement)
      if (!word || role === undefined || (seq !== null && !Number.isSafeInteger(seq))) break
      if (word.includes(':'))
        return onExchange({ subject, word }, (db, one) =>
          labelExchange(db, { ...one, part, role, now: new Date() }),
        )
      return onOne(subject, 'portfolio', (db, id) =>
        labelWallet(db, { id, hash: word, seq, role, now: new Date() }),
      )
    }
    case undefined:
  }
  throw new CommandError(USAGE)
}

async function onOne(
  subject: string | undefined,
  what: string,
  work: (db: Db, id: string) => Promise<boolean>,
): Promise<void> {
  const id = idOf(subject)
  if (!(await withOperatorDatabase((db) => work(db, id))))
    throw new CommandError(`no such ${what}, or not one that this can be done to: ${id}`)
}

/** On a transaction of an exchange, KIND:KEY; what stands against it is said. */
async function onExchange(
  { subject, word }: { subject: string | undefined; word: string },
  work: (db: Db, one: ExchangeKey) => Promise<string | null>,
): Promise<void> {
  const portfolioId = idOf(subject)
  const colon = word.indexOf(':')
  const one = { portfolioId, kind: word.slice(0, Math.max(colon, 0)), key: word.slice(colon + 1) }
  const refusal = await withOperatorDatabase(async (db) => {
    const kind = await kindOf(db, portfolioId)
    if (kind === 'wallet') return WALLET_REFUSAL
    if (kind === 'manual')
      return 'in a manual portfolio a transaction goes by its id alone: give no portfolio'
    return kind === null ? 'no such portfolio' : await work(db, one)
  })
  if (refusal !== null) throw new CommandError(`${word}: ${refusal}`)
}

const WALLET_REFUSAL =
  'what happened to a wallet, and when, says its chain: it cannot be moved or split; label its movements one by one'

function numberOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError(USAGE)
  return Number(text)
}

function idOf(text: string | undefined): string {
  if (text === undefined || !isUuid(text)) throw new CommandError(USAGE)
  return text
}

const isName = (name: string | undefined): name is string =>
  name !== undefined && /^[^\p{C}]{1,100}$/u.test(name)

function methodOf(text: string | undefined): CostMethod {
  const method = COST_METHODS.find((known) => known === text)
  if (!method) throw new CommandError(`the method is one of ${COST_METHODS.join(', ')}`)
  return method
}

function dateOf(text: string): Date {
  const at = parseInstant(text)
  if (!at || at > new Date())
    throw new CommandError('--date is YYYY-MM-DD or an RFC 3339 timestamp, not in the future')
  return at
}
