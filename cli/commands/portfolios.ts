import { userInfo } from 'node:os'
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
import { listMovements } from '../../db/chain/label-movements.ts'
import { LABEL_ROLES } from '../../db/pnl/legs/roles.ts'
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
import { listTreatments, treatRole } from '../../db/portfolios/treat-role.ts'
import { COST_METHODS, type CostMethod } from '../../db/pnl/lots/lot-pool.ts'
import { isUuid } from '../../db/values/uuid.ts'
import type { Db } from '../../db/schema.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withAccount } from '../operator-account.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printDone, printRecord, printRows } from '../print.ts'
import type { PORTFOLIOS } from '../specs/accounts.ts'

/** After a change of a history the worker recomputes the figures from that day on. */
export async function run(given: Given<typeof PORTFOLIOS>): Promise<void> {
  await act(given)
  if (!PRINTING.has(given.action)) printDone({ done: given.action }, null, given)
}

/** The other actions are silent in a shell. */
const PRINTING = new Set(['list', 'create', 'transactions', 'movements', 'treatments', 'split'])

async function act(given: Given<typeof PORTFOLIOS>): Promise<void> {
  switch (given.action) {
    case 'list':
      printRows(await withAccount(given.account, (db, accountId) => listPortfolios(db, { accountId })), given)
      return
    case 'create': {
      const name = nameOf(given)
      const created = await withAccount(given.account, (db, accountId) =>
        createPortfolio(db, { accountId, name, now: new Date() }),
      )
      if (given.json) printRecord(created, given)
      else console.log(created.portfolioId)
      return
    }
    case 'rename': {
      const name = nameOf(given)
      return onOne(given.id, 'portfolio', (db, id) => renamePortfolio(db, { id, name }))
    }
    case 'method':
      return setMethod(given)
    case 'delete':
      return onOne(given.id, 'portfolio', (db, id) => deletePortfolio(db, { id }))
    case 'transactions':
      return onOne(given.id, 'portfolio', async (db, portfolioId) => {
        const kind = await kindOf(db, portfolioId)
        if (kind === 'manual') printRows(await listTransactions(db, { portfolioId }), given)
        else if (kind === 'exchange')
          printRows(await listExchangeTransactions(db, { portfolioId, limit: given.limit }), given)
        return kind === 'manual' || kind === 'exchange'
      })
    case 'move':
      return move(given)
    case 'split': {
      const { subject, word, count } = given
      if (!/^-?\d{1,18}(\.\d{1,18})?$/.test(count))
        throw new UsageError(`--count must be a number, not "${count}"`)
      if (word !== undefined)
        return onExchange({ subject, word }, async (db, one) => {
          const split = await splitExchange(db, { ...one, count, now: new Date() })
          if ('refusal' in split) return split.refusal
          printDone({ done: 'split', part: split.part }, String(split.part), given)
          return null
        })
      return onOne(subject, 'transaction', async (db, id) => {
        const isSplit = await splitTransaction(db, { id, count, now: new Date() })
        if (isSplit) printDone({ done: 'split' }, null, given)
        return isSplit
      })
    }
    case 'drop':
      return onOne(given.id, 'transaction', (db, id) => deleteTransaction(db, { id }))
    case 'undo':
      return onExchange({ subject: given.id, word: given.word }, undoExchange)
    case 'movements':
      return onOne(given.id, 'portfolio', async (db, id) => {
        const wallet = await readWallet(db, id)
        if (wallet) printRows(await listMovements(db, { ...wallet, hash: given.hash }), given)
        return wallet !== null
      })
    case 'label':
      return label(given)
    case 'treat': {
      const { role, treatment: word } = given
      const treatment = word === 'auto' ? null : word
      const askedBy = userInfo().username
      return onOne(given.id, 'portfolio', (db, id) =>
        treatRole(db, { id, role, treatment, askedBy, now: new Date() }),
      )
    }
    case 'treatments':
      return onOne(given.id, 'portfolio', async (db, id) => {
        printRows(await listTreatments(db, { id }), given)
        return (await kindOf(db, id)) !== null
      })
  }
}

function setMethod({ subject, method, account }: GivenOf<typeof PORTFOLIOS, 'method'>): Promise<void> {
  if (account !== undefined) {
    const ofAll = methodOf(subject)
    return withAccount(account, (db, accountId) => setAccountCostMethod(db, { accountId, method: ofAll }))
  }
  const ofOne = methodOf(method)
  return onOne(subject, 'portfolio', (db, id) => setCostMethod(db, { id, method: ofOne }))
}

function move({ subject, word, date: at, to, part }: GivenOf<typeof PORTFOLIOS, 'move'>): Promise<void> {
  if (at && at > new Date()) throw new UsageError('--date must not be in the future')
  const portfolioId = to === undefined ? undefined : idOf(to)
  if (!at && portfolioId === undefined) throw new UsageError('give --date, --to or both')
  if (word !== undefined)
    return onExchange({ subject, word }, (db, one) =>
      moveExchange(db, { ...one, part, at, to: portfolioId, now: new Date() }),
    )
  return onOne(subject, 'transaction', (db, id) => moveTransaction(db, { id, at, portfolioId }))
}

function label({ id, word, role: name, movement, part }: GivenOf<typeof PORTFOLIOS, 'label'>): Promise<void> {
  const role = name === 'auto' ? null : LABEL_ROLES.find((known) => known === name)
  if (role === undefined)
    throw new UsageError(`the role must be one of ${LABEL_ROLES.join(', ')}, auto, not "${name}"`)
  if (word.includes(':'))
    return onExchange({ subject: id, word }, (db, one) =>
      labelExchange(db, { ...one, part, role, now: new Date() }),
    )
  const seq = movement ?? null
  return onOne(id, 'portfolio', (db, portfolioId) =>
    labelWallet(db, { id: portfolioId, hash: word, seq, role, now: new Date() }),
  )
}

async function onOne(
  subject: string,
  what: string,
  work: (db: Db, id: string) => Promise<boolean>,
): Promise<void> {
  const id = idOf(subject)
  if (!(await withOperatorDatabase((db) => work(db, id))))
    throw new CommandError(`no such ${what}, or this command does not apply to it: ${id}`)
}

/** Runs `work` on an exchange transaction, KIND:KEY. Throws the reason if that is not possible. */
async function onExchange(
  { subject, word }: { subject: string; word: string },
  work: (db: Db, one: ExchangeKey) => Promise<string | null>,
): Promise<void> {
  const portfolioId = idOf(subject)
  const colon = word.indexOf(':')
  const one = { portfolioId, kind: word.slice(0, Math.max(colon, 0)), key: word.slice(colon + 1) }
  const refusal = await withOperatorDatabase(async (db) => {
    const kind = await kindOf(db, portfolioId)
    if (kind === 'wallet') return WALLET_REFUSAL
    if (kind === 'manual')
      return 'a transaction of a manual portfolio is found by its id alone: give no portfolio'
    return kind === null ? 'no such portfolio' : await work(db, one)
  })
  if (refusal !== null) throw new CommandError(`${word}: ${refusal}`)
}

const WALLET_REFUSAL =
  'the chain states what a wallet did and when: it cannot be moved or split; label its movements instead'

function idOf(text: string): string {
  if (!isUuid(text)) throw new UsageError(`"${text}" is not an id; see "sluice portfolios list"`)
  return text
}

function nameOf({ name }: { name: string }): string {
  if (!/^[^\p{C}]{1,100}$/u.test(name)) throw new UsageError('give a name of 1 to 100 visible characters')
  return name
}

function methodOf(text: string | undefined): CostMethod {
  const method = COST_METHODS.find((known) => known === text)
  if (!method) throw new UsageError(`the method must be one of ${COST_METHODS.join(', ')}`)
  return method
}
