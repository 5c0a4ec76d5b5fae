import { type Act, listed, nativeOf, ofBank, amountOf, sendMessage, spendable } from './act.ts'
import type { Scene } from './scene.ts'
import { claim, delegate, restake, several, undelegate } from './staking-acts.ts'

export function receive(scene: Scene): boolean {
  const { net, actors, wallet, random, submit } = scene
  const raw = nativeOf(scene, random.size(50, 4_000))
  submit({
    payer: actors.exchange,
    messages: [sendMessage(actors.exchange, wallet, net.denom, raw)],
    run: (events) => events.send(actors.exchange, wallet, { [net.denom]: raw }),
  })
  return true
}

/** An exchange pays many customers at once. */
const receivePayout: Act = (scene) => {
  const { net, actors, wallet, random, submit } = scene
  const raw = nativeOf(scene, random.size(20, 300))
  const receivers = [random.pick(actors.outsiders), wallet, random.pick(actors.outsiders)]
  submit({
    payer: actors.exchange,
    messages: [ofBank('MsgMultiSend', { inputs: [], outputs: [] })],
    run: (events) => events.sendMany(actors.exchange, receivers, { [net.denom]: raw }),
  })
  return true
}

const send: Act = (scene) => {
  const { net, actors, wallet, random, submit } = scene
  const raw = spendable(scene) / 4n
  if (raw < 100_000n) return false
  const to = random.pick(actors.outsiders)
  submit({
    payer: wallet,
    messages: [sendMessage(wallet, to, net.denom, raw)],
    run: (events) => events.send(wallet, to, { [net.denom]: raw }),
  })
  return true
}

/** Somebody else pays the fee. */
const sendGranted: Act = (scene) => {
  const { net, actors, wallet, random, submit } = scene
  const raw = spendable(scene) / 5n
  if (raw < 100_000n) return false
  const to = random.pick(actors.outsiders)
  submit({
    payer: actors.granter,
    messages: [sendMessage(wallet, to, net.denom, raw)],
    run: (events) => events.send(wallet, to, { [net.denom]: raw }),
  })
  return true
}

/** A relayer delivers coins of another chain: they are minted here. */
const arrive: Act = (scene) => {
  const { net, actors, wallet, random, unitsOf, submit } = scene
  const coin = random.pick(listed(scene))
  if (!coin) return false
  const coins = { [coin.denom]: unitsOf(coin.coinId!, random.size(30, 1_500)) }
  submit({
    payer: actors.relayer,
    messages: [
      { '@type': '/ibc.core.client.v1.MsgUpdateClient', client_id: '07-tendermint-1' },
      { '@type': '/ibc.core.channel.v1.MsgRecvPacket', signer: actors.relayer },
    ],
    run: (events, index) => {
      if (index === 0) return
      events.mint(actors.modules.transfer, coins)
      events.send(actors.modules.transfer, wallet, coins)
      events.emit('fungible_token_packet', { module: 'transfer', receiver: wallet, denom: net.denom })
    },
  })
  return true
}

/** Own coins go to an escrow, those of other chains are burnt. */
const leave: Act = (scene) => {
  const { net, actors, wallet, heldBy, random, submit } = scene
  const denom = random.pick([net.denom, ...listed(scene).map((one) => one.denom)])
  const raw = (denom === net.denom ? spendable(scene) : (heldBy(wallet).bank[denom] ?? 0n)) / 3n
  if (raw < 100_000n || spendable(scene) < 0n) return false
  submit({
    payer: wallet,
    messages: [
      {
        '@type': '/ibc.applications.transfer.v1.MsgTransfer',
        source_port: 'transfer',
        source_channel: 'channel-0',
        token: amountOf(denom, raw),
        sender: wallet,
      },
    ],
    run: (events) => {
      if (denom === net.denom) return events.send(wallet, actors.modules.escrow, { [denom]: raw })
      events.send(wallet, actors.modules.transfer, { [denom]: raw })
      return events.burn(actors.modules.transfer, { [denom]: raw })
    },
  })
  return true
}

const swap: Act = (scene) => {
  const { net, actors, wallet, random, unitsOf, submit } = scene
  const coin = random.pick(listed(scene))
  const usd = random.size(20, 500)
  const raw = nativeOf(scene, usd)
  if (net.id !== 'osmosis' || !coin || raw > spendable(scene)) return false
  submit({
    payer: wallet,
    messages: [{ '@type': '/osmosis.poolmanager.v1beta1.MsgSwapExactAmountIn', sender: wallet }],
    run: (events) => {
      events.send(wallet, actors.modules.pool, { [net.denom]: raw })
      events.send(actors.modules.pool, wallet, { [coin.denom]: unitsOf(coin.coinId!, usd * 0.998) })
    },
  })
  return true
}

/** Osmosis takes fees in other coins too. */
const payWithToken: Act = (scene) => {
  const { net, actors, wallet, heldBy, random, submit } = scene
  const [coin] = listed(scene)
  const raw = spendable(scene) / 6n
  if (net.id !== 'osmosis' || !coin || raw < 100_000n) return false
  if ((heldBy(wallet).bank[coin.denom] ?? 0n) < 10_000n) return false
  const to = random.pick(actors.outsiders)
  submit({
    payer: wallet,
    fee: { [coin.denom]: 700n },
    fail: random.chance(0.4),
    messages: [sendMessage(wallet, to, net.denom, raw)],
    run: (events) => events.send(wallet, to, { [net.denom]: raw }),
  })
  return true
}

const fail: Act = (scene) => {
  const { net, actors, wallet, random, submit } = scene
  if (spendable(scene) < 0n) return false
  submit({
    payer: wallet,
    messages: [sendMessage(wallet, random.pick(actors.outsiders), net.denom, 10n ** 18n)],
    fail: true,
  })
  return true
}

const vote: Act = (scene) => {
  const { wallet, submit } = scene
  if (spendable(scene) < 0n) return false
  submit({
    payer: wallet,
    messages: [{ '@type': '/cosmos.gov.v1.MsgVote', voter: wallet, option: 'VOTE_OPTION_YES' }],
    run: (events) => events.emit('proposal_vote', { voter: wallet, proposal_id: '1' }),
  })
  return true
}

const spam: Act = ({ net, actors, wallet, submit }) => {
  const coin = net.denoms.find(({ coinId }) => coinId === null)
  if (!coin) return false
  submit({
    payer: actors.spammer,
    messages: [ofBank('MsgMultiSend', { inputs: [], outputs: [] })],
    run: (events) =>
      events.sendMany(actors.spammer, [...actors.outsiders, wallet], { [coin.denom]: 1_000_000n }),
  })
  return true
}

export const acts: (readonly [Act, number])[] = [
  [receive, 12],
  [receivePayout, 3],
  [send, 8],
  [sendGranted, 2],
  [arrive, 8],
  [leave, 7],
  [delegate, 8],
  [undelegate, 3],
  [claim, 7],
  [restake, 4],
  [swap, 9],
  [payWithToken, 4],
  [fail, 3],
  [vote, 3],
  [several, 3],
  [spam, 2],
]
