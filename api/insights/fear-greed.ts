import { z } from 'zod'

export const INDEX_NAME = 'Fear and Greed Index' as const

const CLASSES = ['Extreme fear', 'Fear', 'Neutral', 'Greed', 'Extreme greed'] as const
/** The highest value of each class but the last. */
const UPPER_BOUNDS = [24, 44, 55, 75]

export const classSchema = z
  .enum(CLASSES)
  .describe('0 to 24 extreme fear, to 44 fear, to 55 neutral, to 75 greed, above extreme greed')

export const valueSchema = z.number().int().min(0).max(100)

/** The class of an index value. */
export function classOf(value: number): (typeof CLASSES)[number] {
  const index = UPPER_BOUNDS.findIndex((bound) => value <= bound)
  return CLASSES[index === -1 ? CLASSES.length - 1 : index]!
}
