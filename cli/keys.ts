import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import { keptText } from './plan-text.ts'

/** A key of a vendor, as Markdown. */
export interface VendorKey {
  /** environment variable */
  variable: string
  gives: string
  /** Its form, if that needs explaining. */
  meaning?: string
  without: string
  freePlan: string
  /** page of the vendor where it is made */
  from: string
}

type KeyedSource = SourceSpec & { key: NonNullable<SourceSpec['key']> }

/** The keys of all sources, in the order of the areas. Sources of one vendor may share a key. */
export function vendorKeys(): VendorKey[] {
  const keyed = AREAS.flatMap(({ sources }) =>
    sources.filter((spec): spec is KeyedSource => spec.key !== undefined),
  )
  return [...Map.groupBy(keyed, ({ key }) => key.variable)].map(([variable, specs]) => {
    const [{ key, keyMeaning }] = specs as [KeyedSource]
    const plans = specs.map((spec) => (specs.length > 1 ? `${spec.name}: ` : '') + keptText(spec))
    return {
      variable,
      gives: specs.map((spec) => spec.key.gives).join('. '),
      ...(keyMeaning !== undefined && { meaning: keyMeaning }),
      without: specs.map(({ without }) => without).join('. '),
      freePlan: plans.join('. '),
      from: key.from,
    }
  })
}
