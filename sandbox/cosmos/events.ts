import type { Actors, CosmosNet } from './actors.ts'
import type { Coins, Held } from './holdings.ts'

export type CosmosEvent = { type: string; attributes: { key: string; value: string; index: boolean }[] }
export type Events = ReturnType<typeof createEvents>

const textOf = (coins: Coins): string =>
  Object.entries(coins)
    .map(([denom, raw]) => `${raw}${denom}`)
    .sort()
    .join(',')

/** Writes the events of a transaction as the modules of the SDK (0.50) do, and keeps the balances. */
export function createEvents(world: { net: CosmosNet; actors: Actors; heldBy: (account: string) => Held }) {
  const { net, heldBy } = world
  const { modules } = world.actors
  const written: CosmosEvent[] = []
  let message: number | null = null

  const emit = (type: string, facts: Record<string, string>): void => {
    const all = message === null ? facts : { ...facts, msg_index: String(message) }
    written.push({
      type,
      attributes: Object.entries(all).map(([key, value]) => ({ key, value, index: true })),
    })
  }
  const change = (account: string, coins: Coins, sign: 1n | -1n): void => {
    const { bank } = heldBy(account)
    for (const [denom, raw] of Object.entries(coins)) bank[denom] = (bank[denom] ?? 0n) + sign * raw
  }
  const spend = (spender: string, coins: Coins): void => {
    change(spender, coins, -1n)
    emit('coin_spent', { spender, amount: textOf(coins) })
  }
  const gain = (receiver: string, coins: Coins): void => {
    change(receiver, coins, 1n)
    emit('coin_received', { receiver, amount: textOf(coins) })
  }
  const noteTransfer = (sender: string, recipient: string, coins: Coins): void => {
    emit('transfer', { recipient, sender, amount: textOf(coins) })
    emit('message', { sender })
  }
  const send = (sender: string, recipient: string, coins: Coins): void => {
    spend(sender, coins)
    gain(recipient, coins)
    noteTransfer(sender, recipient, coins)
  }
  /** The Hub holds the fee until it knows the price of gas. */
  const isHeld = net.id === 'cosmos'

  return {
    written,
    emit,
    send,
    payFee({ payer, fee, sequence }: { payer: string; fee: Coins; sequence: number }): void {
      send(payer, isHeld ? modules.heldFees : modules.fees, fee)
      if (!isHeld) emit('tx', { fee: textOf(fee), fee_payer: payer })
      emit('tx', { acc_seq: `${payer}/${sequence}` })
      emit('tx', { signature: 'AA==' })
    },
    /** What follows is of this message. */
    begin(body: object, index: number): void {
      message = index
      emit('message', { action: (body as { '@type': string })['@type'] })
    },
    settleFee({ payer, fee }: { payer: string; fee: Coins }): void {
      message = null
      if (!isHeld) return
      send(modules.heldFees, modules.fees, fee)
      emit('fee_pay', { fee: textOf(fee), fee_payer: payer })
    },
    /** One sender, many receivers. */
    sendMany(sender: string, receivers: string[], coins: Coins): void {
      const total = Object.entries(coins).map(([denom, raw]) => [denom, raw * BigInt(receivers.length)])
      spend(sender, Object.fromEntries(total) as Coins)
      for (const receiver of receivers) {
        gain(receiver, coins)
        emit('transfer', { recipient: receiver, amount: textOf(coins) })
      }
    },
    mint(module: string, coins: Coins): void {
      gain(module, coins)
      emit('coinbase', { minter: module, amount: textOf(coins) })
    },
    burn(module: string, coins: Coins): void {
      spend(module, coins)
      emit('burn', { burner: module, amount: textOf(coins) })
    },
    reward({ delegator, validator, raw }: { delegator: string; validator: string; raw: bigint }): void {
      if (raw > 0n) send(modules.distribution, delegator, { [net.denom]: raw })
      const amount = raw > 0n ? `${raw}${net.denom}` : ''
      emit('withdraw_rewards', { amount, validator, delegator })
    },
    /** Delegated coins change hands without a `transfer`. */
    delegate({ delegator, validator, raw }: { delegator: string; validator: string; raw: bigint }): void {
      const coins = { [net.denom]: raw }
      spend(delegator, coins)
      gain(modules.bonded, coins)
      emit('delegate', {
        validator,
        delegator,
        amount: textOf(coins),
        new_shares: `${raw}.000000000000000000`,
      })
    },
    unbond(facts: { delegator: string; validator: string; raw: bigint; completion: string }): void {
      const { delegator, validator, raw, completion } = facts
      const amount = `${raw}${net.denom}`
      emit('unbond', { validator, amount, delegator, completion_time: completion })
    },
  }
}
