import { workflowInfo } from '@temporalio/workflow'
import {
  RUN_ATTRIBUTES,
  type RunAbout,
  type RunAttributePair,
  runAttributes,
} from '../db/values/run-attributes.ts'

/**
 * Attributes of a run that this one starts. None if this one has none: then it began on a server that lacks them, and
 * such a server refuses the start.
 */
export function childAttributes(about: Omit<RunAbout, 'area'>): RunAttributePair[] {
  const area = workflowInfo().typedSearchAttributes.get(RUN_ATTRIBUTES.area)
  return area === undefined ? [] : runAttributes({ ...about, area }, ['area', 'wallet', 'network', 'account'])
}
