import type { Route } from '../route.ts'
import { getTokenRisks } from './get-token-risks.ts'

export const riskRoutes: readonly Route[] = [getTokenRisks]
