import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of `workflow` take longest, so they start first. Files of `unit` take almost no time and fill the
 * end.
 */
const PROJECTS = ['workflow', 'browser', 'db', 'unit']

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
