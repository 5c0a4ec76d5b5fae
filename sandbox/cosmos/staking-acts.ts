import { type Act, amountOf, sendMessage, spendable } from './act.ts'
import type { Events } from './events.ts'
import { UNBONDING_S } from './holdings.ts'
import type { Scene } from './scene.ts'

const ofStaking = (name: string, facts: object) => ({ '@type': `/cosmos.staking.v1beta1.${name}`, ...facts })

/** Pays the rewards of a validator out, as each change of a delegation does. */
function settle(scene: Scene, events: Events, validator: string): void {
  const { heldBy, wallet, at } = scene
  const stake = heldBy(wallet).staked.get(validator)
  if (!stake) return
  // 15% a year
  const raw = (stake.raw * BigInt(at - stake.since) * 15n) / (100n * 31_536_000n)
  stake.since = at
  events.reward({ delegator: wallet, validator, raw })
}

function stake(scene: Scene, events: Events, { validator, raw }: { validator: string; raw: bigint }): void {
  const { heldBy, wallet, at } = scene
  settle(scene, events, validator)
  events.delegate({ delegator: wallet, validator, raw })
  const { staked } = heldBy(wallet)
  staked.set(validator, { raw: (staked.get(validator)?.raw ?? 0n) + raw, since: at })
}

export const delegate: Act = (scene) => {
  const { net, actors, wallet, random, submit } = scene
  const raw = spendable(scene) / 3n
  if (raw < 1_000_000n) return false
  const validator = random.pick(actors.validators)
  const facts = { delegator_address: wallet, validator_address: validator, amount: amountOf(net.denom, raw) }
  submit({
    payer: wallet,
    messages: [ofStaking('MsgDelegate', facts)],
    run: (events) => stake(scene, events, { validator, raw }),
  })
  return true
}

export const undelegate: Act = (scene) => {
  const { net, wallet, heldBy, random, at, height, submit } = scene
  const { staked, unbonding } = heldBy(wallet)
  if (staked.size === 0 || spendable(scene) < 0n || unbonding.length > 5) return false
  const [validator, held] = random.pick([...staked])
  const raw = held.raw / 2n
  const facts = { delegator_address: wallet, validator_address: validator, amount: amountOf(net.denom, raw) }
  submit({
    payer: wallet,
    messages: [ofStaking('MsgUndelegate', facts)],
    run: (events) => {
      settle(scene, events, validator)
      const until = at + UNBONDING_S
      const completion = new Date(until * 1_000).toISOString()
      events.unbond({ delegator: wallet, validator, raw, completion })
      staked.set(validator, { raw: held.raw - raw, since: at })
      unbonding.push({ validator, raw, height, until })
    },
  })
  return true
}

/** All rewards in one transaction, a message for each validator. */
export const claim: Act = (scene) => {
  const { wallet, heldBy, submit } = scene
  const validators = [...heldBy(wallet).staked.keys()]
  if (validators.length === 0 || spendable(scene) < 0n) return false
  submit({
    payer: wallet,
    messages: validators.map((validator) => ({
      '@type': '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward',
      delegator_address: wallet,
      validator_address: validator,
    })),
    run: (events, index) => settle(scene, events, validators[index]!),
  })
  return true
}

/** A bot that may act for the wallet stakes its rewards, and pays the fee. */
export const restake: Act = (scene) => {
  const { net, actors, wallet, heldBy, submit } = scene
  const [validator] = heldBy(wallet).staked.keys()
  if (validator === undefined) return false
  submit({
    payer: actors.restaker,
    messages: [{ '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: actors.restaker }],
    run: (events) => {
      const before = heldBy(wallet).bank[net.denom] ?? 0n
      settle(scene, events, validator)
      const raw = (heldBy(wallet).bank[net.denom] ?? 0n) - before
      if (raw > 0n) stake(scene, events, { validator, raw })
    },
  })
  return true
}

/** Two payments and a delegation in one transaction. */
export const several: Act = (scene) => {
  const { net, actors, wallet, submit } = scene
  const raw = spendable(scene) / 8n
  if (raw < 1_000_000n) return false
  const [first, second] = actors.outsiders
  const validator = actors.validators[0]!
  submit({
    payer: wallet,
    messages: [
      sendMessage(wallet, first!, net.denom, raw),
      sendMessage(wallet, second!, net.denom, raw),
      ofStaking('MsgDelegate', { delegator_address: wallet, validator_address: validator }),
    ],
    run: (events, index) => {
      const to = [first!, second!][index]
      if (to) events.send(wallet, to, { [net.denom]: raw })
      else stake(scene, events, { validator, raw })
    },
  })
  return true
}
