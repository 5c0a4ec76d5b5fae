import { SourceRejected } from '../../errors.ts'
import { SOLANA } from '../../nodes/solana-call.ts'
import { OPEN, type Position } from '../position.ts'
import { decodeAccount, readAccount } from './codecs.ts'
import { BENEFICIARY_OFFSET, marinadeState, ticketAccount } from './marinade-layout.ts'
import type { SolanaProtocol } from './protocol.ts'
import { type ChainAccount, type SlotReader, timeAt } from './slot-reader.ts'

/** https://docs.marinade.finance/developers/contract-addresses */
export const MARINADE = {
  program: 'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD',
  state: '8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC',
  msol: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So',
}
const PROGRAMS = [MARINADE.program]
/** The price of one mSOL in SOL has 32 fractional bits. */
const PRICE_BITS = 32n
/** From the start of the epoch in which a ticket is paid, as Marinade's SDK says. */
const EXTRA_WAIT_MS = 45 * 60_000

/** mSOL that the account holds, in SOL at the price of Marinade's state. */
export const marinade: SolanaProtocol = {
  id: 'marinade',
  name: 'Marinade',
  family: 'Marinade',
  networks: ['solana'],
  async read({ reader, received, held }) {
    const { state: address, msol } = MARINADE
    const tokens = received.includes(msol) ? ((await held()).get(msol) ?? 0n) : 0n
    if (tokens === 0n) return { positions: [], unknown: [] }
    const state = await readAccount(reader, { address, programs: PROGRAMS, codec: marinadeState })
    if (state.msolMint !== msol) throw new SourceRejected(SOLANA, `${address} is no state of mSOL`)
    const raw = (tokens * state.msolPrice) >> PRICE_BITS
    const assets = [{ role: 'staked' as const, token: null, raw }]
    return {
      positions: raw === 0n ? [] : [{ id: msol, name: 'mSOL', poolAddress: address, ...OPEN, assets }],
      unknown: [],
    }
  },
}

/** Tickets of delayed unstakes, for which an account needs mSOL before. */
export const marinadeTickets: SolanaProtocol = {
  id: 'marinade-tickets',
  name: 'Marinade Tickets',
  family: 'Marinade',
  networks: ['solana'],
  async read({ reader, account, received }) {
    if (!received.includes(MARINADE.msol)) return { positions: [], unknown: [] }
    const tickets = await reader.accountsWith({
      program: MARINADE.program,
      size: ticketAccount.fixedSize,
      key: account,
      offset: BENEFICIARY_OFFSET,
    })
    const positions = tickets.map((ticket) => ticketPosition(ticket, reader))
    return { positions: positions.toSorted((a, b) => (a.id < b.id ? -1 : 1)), unknown: [] }
  },
}

function ticketPosition(account: ChainAccount, { block, startOf }: SlotReader): Position {
  const { address: id } = account
  const ticket = decodeAccount(account, { address: id, programs: PROGRAMS, codec: ticketAccount })
  const dueAt = timeAt(startOf(ticket.createdEpoch + 1n).getTime() + EXTRA_WAIT_MS)
  const isDue = dueAt <= block.at
  return {
    id,
    name: 'Unstake ticket',
    poolAddress: ticket.stateAddress,
    ...OPEN,
    unlockAt: isDue ? null : dueAt,
    assets: [{ role: isDue ? 'claimable' : 'withdrawing', token: null, raw: ticket.lamportsAmount }],
  }
}
