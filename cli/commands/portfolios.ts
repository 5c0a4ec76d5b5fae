import { parseArgs } from 'node:util'
import {
  deleteTransaction,
  listTransactions,
  moveTransaction,
  splitTransaction,
} from '../../db/portfolios/correct-transactions.ts'
import { LABEL_ROLES, listMovements } from '../../db/chain/label-movements.ts'
import { labelWallet, readWallet } from '../../db/portfolios/label-wallet.ts'
import {
  createPortfolio,
  deletePortfolio,
  listPortfolios,
  renamePortfolio,
  setAccountCostMethod,
  setCostMethod,
} from '../../db/portfolios/operator.ts'
import { COST_METHODS, type CostMethod } from '../../db/values/cost-methods.ts'
import { parseInstant } from '../../db/values/time.ts'
import type { Db } from '../../db/connect.ts'
import { CommandError } from '../command.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'

const USAGE = `sluice portfolios list --account ACCOUNT
sluice portfolios create --account ACCOUNT --name NAME   one whose transactions are stated by hand
sluice portfolios rename ID --name NAME
sluice portfolios method ID ${COST_METHODS.join('|')}     --account ACCOUNT instead of ID: of all of them together
sluice portfolios delete ID
sluice portfolios transactions ID                        those that were stated by hand
sluice portfolios move TRANSACTION [--date DATE] [--to ID]
sluice portfolios split TRANSACTION --count COUNT        takes so much of it into one of its own
sluice portfolios drop TRANSACTION
sluice portfolios movements ID HASH                      what a transaction of a wallet did
sluice portfolios label ID HASH ${LABEL_ROLES.join('|')}|auto [--movement N]   what it was`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

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
    },
  })
  const { account, name } = values
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
        console.table(await listTransactions(db, { portfolioId }))
        return true
      })
    case 'move': {
      const at = values.date === undefined ? undefined : dateOf(values.date)
      const portfolioId = values.to === undefined ? undefined : idOf(values.to)
      if (!at && portfolioId === undefined) break
      return onOne(subject, 'transaction', (db, id) => moveTransaction(db, { id, at, portfolioId }))
    }
    case 'split': {
      const { count } = values
      if (count === undefined || !/^-?\d{1,18}(\.\d{1,18})?$/.test(count)) break
      return onOne(subject, 'transaction', (db, id) => splitTransaction(db, { id, count, now: new Date() }))
    }
    case 'drop':
      return onOne(subject, 'transaction', (db, id) => deleteTransaction(db, { id }))
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

function idOf(text: string | undefined): string {
  if (text === undefined || !UUID.test(text)) throw new CommandError(USAGE)
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
