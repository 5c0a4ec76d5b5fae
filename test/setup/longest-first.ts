import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Takes two minutes, and nothing else is left to run beside it when it comes last. */
const LONGEST = 'start.workflow.test.ts'

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = (file: TestSpecification) => file.moduleId.endsWith(LONGEST)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}
