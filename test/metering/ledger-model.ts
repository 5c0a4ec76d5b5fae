/** One step of an account. `which` picks an earlier charge. */
export type Step =
  | { kind: 'charge'; credits: number }
  | { kind: 'replay' | 'refund'; which: number }
  | { kind: 'topUp'; credits: number; days: number }
  | { kind: 'pass'; days: number }

interface TopUp {
  left: number
  day: number
}
interface Period {
  posted: number
  /** credits from top-ups that were valid in the period; of expired ones only the spent part */
  toppedUp: number
  /** credits taken out of top-ups at expiries within the period */
  settled: number
}

/** The rules of docs/consumer.md, in the same order, one day at a time. */
export function createModel(plan: number) {
  let today = 0
  let n = 0
  let topUps: TopUp[] = []
  const charges: { credits: number; period: Period; refunded: boolean }[] = []
  let period: Period = { posted: 0, toppedUp: 0, settled: 0 }

  const granted = () => plan + period.toppedUp
  const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)]
  const left = () => topUps.reduce((sum, one) => sum + one.left, 0)

  /** Takes what the period spent beyond the plan out of the top-ups, the earliest expiry first. */
  function settle(): void {
    let open = Math.max(0, period.posted - plan - period.settled)
    period.settled += open
    for (const one of topUps.toSorted((a, b) => a.day - b.day)) {
      const taken = Math.min(one.left, open)
      one.left -= taken
      open -= taken
    }
  }

  function act(step: Step): unknown {
    switch (step.kind) {
      case 'charge': {
        const paid = period.posted + step.credits <= granted()
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
      case 'pass':
        return null
    }
  }

  return {
    /** `number`: number of the period in which the step ends. */
    step(step: Step, number: number) {
      if (step.kind === 'pass') {
        today += step.days
        if (number > n || topUps.some(({ left: some, day }) => some > 0 && day <= today)) settle()
        topUps = topUps.filter(({ day }) => day > today)
        if (number > n) {
          n = number
          period = { posted: 0, toppedUp: left(), settled: 0 }
        } else period.toppedUp = period.settled + left()
      }
      return { said: act(step), granted: granted(), available: granted() - period.posted }
    },
  }
}
