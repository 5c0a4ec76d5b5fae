import type { z } from 'zod'
import { INTERVALS } from '../../db/values/periods.ts'
import { enumParam, identifierParam, instantParam, integerParam, limit, page, param } from '../params.ts'
import { plShape } from './pl-window.ts'

const MONTH = '^2[0-9]{3}-(0[1-9]|1[0-2])$'

export const explainShape = {
  ...plShape,
  interval: enumParam(INTERVALS, 'As of the history').optional(),
  date: instantParam('`date` of a point of the history in the same window').optional(),
  coinId: identifierParam('Or a coin of the list of coins').optional(),
  month: param((text) => (new RegExp(MONTH).test(text) ? new Date(`${text}-01T00:00:00Z`) : undefined), {
    pattern: MONTH,
    description: 'The month (YYYY-MM) to list each entry of',
  }).optional(),
  entry: integerParam({
    minimum: 1,
    maximum: 1_000_000,
    description: 'The number of one entry of that month: pages are those of its lots then',
  }).optional(),
  page: page(),
  limit: limit(100),
}
export type ExplainQuery = z.output<z.ZodObject<typeof explainShape>>
