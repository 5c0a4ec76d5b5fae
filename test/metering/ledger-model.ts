/** What an account may do. `which` picks one of what was done before. */
export type Step =
  | { kind: 'charge'; credits: number }
  | { kind: 'replay' | 'refund' | 'post' | 'void'; which: number }
  | { kind: 'topUp' | 'reserve'; credits: number; days: number }
  | { kind: 'pass'; days: number }

interface TopUp {
  left: number
  day: number
}
interface Held {
  credits: number
  period: Period
  day: number
  state: 'pending' | 'posted' | 'voided' | 'expired'
}
interface Period {
  posted: number
  reserved: number
  /** of the top-ups that were valid in it, those that expired included as far as they were spent */
  toppedUp: number
  /** taken out of top-ups at an expiry within it */
  settled: number
}

/** The rules in the order in which they are told in docs/api.md, a day at a time. */
export function createModel(plan: number) {
  let today = 0
  let n = 0
  let topUps: TopUp[] = []
  const held: Held[] = []
  const charges: { credits: number; period: Period; refunded: boolean }[] = []
  let period: Period = { posted: 0, reserved: 0, toppedUp: 0, settled: 0 }

  const spent = () => period.posted + period.reserved
  const granted = () => plan + period.toppedUp
  const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]
  const left = () => topUps.reduce((sum, one) => sum + one.left, 0)

  /** Writes what the period spent beyond the plan into the top-ups, the one that expires next first. */
  function settle(): void {
    let open = Math.max(0, spent() - plan - period.settled)
    period.settled += open
    for (const one of topUps.toSorted((a, b) => a.day - b.day)) {
      const taken = Math.min(one.left, open)
      one.left -= taken
      open -= taken
    }
  }

  /** Everything that ends on this day: reservations and top-ups, half a day before the steps of the day. */
  function expire(): void {
    for (const one of held)
      if (one.state === 'pending' && one.day <= today) {
        one.state = 'expired'
        one.period.reserved -= one.credits
      }
  }

  function resolve(one: Held | undefined, posted: number | null) {
    if (!one) return null
    if (one.state === 'pending') {
      one.state = posted === null ? 'voided' : 'posted'
      one.period.reserved -= one.credits
      one.period.posted += posted ?? 0
    }
    return one.state
  }

  function act(step: Step): unknown {
    switch (step.kind) {
      case 'charge': {
        const paid = spent() + step.credits <= granted()
        if (paid) period.posted += step.credits
        if (paid) charges.push({ credits: step.credits, period, refunded: false })
        return paid
      }
      case 'replay':
        return at(charges, step.which) ? true : null
      case 'refund': {
        const charge = at(charges, step.which)
        if (!charge) return null
        if (charge.refunded || charge.period !== period) return false
        charge.refunded = true
        period.posted -= charge.credits
        return true
      }
      case 'topUp':
        topUps.push({ left: step.credits, day: today + step.days })
        period.toppedUp += step.credits
        return null
      case 'reserve':
        if (spent() + step.credits > granted()) return 'refused'
        held.push({ credits: step.credits, period, day: today + step.days, state: 'pending' })
        period.reserved += step.credits
        return 'pending'
      case 'post': {
        const one = at(held, step.which)
        return resolve(one, one ? Math.ceil(one.credits / 2) : null)
      }
      case 'void':
        return resolve(at(held, step.which), null)
      case 'pass':
        return null
    }
  }

  return {
    /** `number`: the period in which the step ends. */
    step(step: Step, number: number) {
      if (step.kind === 'pass') {
        today += step.days
        expire()
        if (number > n || topUps.some(({ left: some, day }) => some > 0 && day <= today)) settle()
        topUps = topUps.filter(({ day }) => day > today)
        if (number > n) {
          n = number
          period = { posted: 0, reserved: 0, toppedUp: left(), settled: 0 }
        } else period.toppedUp = period.settled + left()
      }
      return { said: act(step), granted: granted(), available: granted() - spent() }
    },
  }
}
