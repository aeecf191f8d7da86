import { problemsOf } from '#platform/errors/problem.ts'

const { defineFault } = problemsOf('Events')

export const topicUnknown = defineFault<readonly string[]>('topic_unknown', {
  message: (topics) => `must be one of ${topics.join(', ')}`,
  when: 'There are no events with this topic.',
  remedy: 'Send one of the topics that `errors` lists.',
})
