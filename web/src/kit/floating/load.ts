/** The chunks that hold the floating parts; each is asked for at its first use. */
export const loadPanel = () => import('./panel.tsx')
export const loadMenuPopup = () => import('./menu-popup.tsx')
export const loadPopoverPopup = () => import('./popover-popup.tsx')
export const loadTooltipPopup = () => import('./tooltip-popup.tsx')

/**
 * Gets the floating parts while the browser is idle, so that the first use does not wait. Without a connection the
 * first use asks for them again.
 */
export async function preloadFloating(): Promise<void> {
  await Promise.allSettled([loadPanel(), loadMenuPopup(), loadPopoverPopup(), loadTooltipPopup()])
}
