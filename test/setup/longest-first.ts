import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Takes a minute and a half, and nothing else is left to run beside it when it comes last. */
const LONGEST = 'start.workflow.test.ts'
/** The files of `workflow` take the longest, those of `unit` next to nothing: they fill what is left at the end. */
const PROJECTS = ['workflow', 'browser', 'db', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId, project }: TestSpecification) =>
      moduleId.endsWith(LONGEST) ? -1 : PROJECTS.indexOf(project.name)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
