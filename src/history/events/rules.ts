import { validationFailed } from '#platform/errors/problem.ts'
import { topicUnknown } from './errors.ts'
import { findTopic, TOPICS, type Topic } from './topics.facts.ts'

/** The topics of a comma-separated filter; undefined if it is empty, which means all. */
export function readTopics(text: string | undefined): Topic[] | undefined {
  if (text === undefined || text.trim() === '') return undefined
  return text.split(',').map((name) => {
    const topic = findTopic(name)
    if (topic === undefined) throw validationFailed('topic', topicUnknown(TOPICS))
    return topic
  })
}
