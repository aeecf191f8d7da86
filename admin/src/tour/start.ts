import { redirect } from '@tanstack/react-router'
import { goToStop, hasEnded, STOPS } from './tour.ts'

/** Begins the tour at its first screen, unless somebody has had it and does not ask for it. */
export function startTour({ search: { again } }: { search: { again?: true } }): never {
  if (again === true || !hasEnded()) goToStop(0)
  throw redirect({ to: STOPS[0].to, replace: true })
}

export const readTourSearch = ({ again }: Record<string, unknown>): { again?: true } =>
  again === undefined ? {} : { again: true }
