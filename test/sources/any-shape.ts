import fc from 'fast-check'
import { merge, shapeOf } from '../../activities/drift/shape.ts'

const name = fc.constantFrom(
  'id',
  'price',
  'constructor',
  '__proto__',
  'updated_at',
  'BTC',
  '0xab12',
  'metadata',
)

export const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, 1, 'text'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
}))

/** Of several answers, so that fields are optional. */
export const anyShape = fc
  .array(anyValue, { minLength: 1, maxLength: 3 })
  .map((values) => values.map(shapeOf).reduce(merge))
