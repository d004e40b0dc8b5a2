import { useQuery } from '@tanstack/react-query'
import { listViews } from '../api/views.ts'
import { getWallet } from '../api/workspace.ts'
import { useAfterFirstLoad } from './first-load.ts'

// What many places show, asked for once and after the first page.

export function useViews() {
  const enabled = useAfterFirstLoad()
  return useQuery({ queryKey: ['views'], queryFn: ({ signal }) => listViews(signal), enabled })
}

export function useWallet() {
  const enabled = useAfterFirstLoad()
  return useQuery({ queryKey: ['wallet'], queryFn: ({ signal }) => getWallet(signal), enabled })
}
