import { z } from 'zod'

export const INDEX_NAME = 'Fear and Greed Index' as const

const CLASSES = ['Extreme fear', 'Fear', 'Neutral', 'Greed', 'Extreme greed'] as const
/** The highest value of each class except the last. */
const UPPER_BOUNDS = [24, 44, 55, 75]

export const classSchema = z
  .enum(CLASSES)
  .describe(
    '0 to 24: extreme fear; 25 to 44: fear; 45 to 55: neutral; 56 to 75: greed; 76 to 100: extreme greed',
  )

export const valueSchema = z.number().int().min(0).max(100)

/** Returns the class of an index value. */
export function classOf(value: number): (typeof CLASSES)[number] {
  const index = UPPER_BOUNDS.findIndex((bound) => value <= bound)
  return CLASSES[index === -1 ? CLASSES.length - 1 : index]!
}
