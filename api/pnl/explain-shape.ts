import type { z } from 'zod'
import { INTERVALS } from '../../db/values/periods.ts'
import { enumParam, coinIdParam, instantParam, integerParam, limit, page, param } from '../params.ts'
import { plShape } from './pl-window.ts'

const MONTH = '^2[0-9]{3}-(0[1-9]|1[0-2])$'

export const explainShape = {
  ...plShape,
  interval: enumParam(INTERVALS, 'Interval of the history that contains the point').optional(),
  date: instantParam('Point to explain: its `date` in the history of the same window').optional(),
  coinId: coinIdParam('Coin to explain, instead of a point of the history').optional(),
  month: param((text) => (new RegExp(MONTH).test(text) ? new Date(`${text}-01T00:00:00Z`) : undefined), {
    pattern: MONTH,
    reason: 'a month (YYYY-MM)',
    description: 'Month (YYYY-MM) whose entries or flows to list',
    example: '2026-10',
  }).optional(),
  entry: integerParam({
    minimum: 1,
    maximum: 1_000_000,
    description: 'Number of one entry of `month`. The pages then list its lots',
  })
    .meta({ example: 1 })
    .optional(),
  page: page(),
  limit: limit(100),
}
export type ExplainQuery = z.output<z.ZodObject<typeof explainShape>>
