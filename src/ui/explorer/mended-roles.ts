// Corrects what GraphiQL 5.4 tells screen readers. Its tabs are list items around buttons, and hide the buttons inside, so that a tab could not be closed; and
// every entry of the history has the same name.

export function mendRoles(root: HTMLElement): void {
  const mend = () => {
    for (const item of root.querySelectorAll('li[role="tab"]')) {
      const button = item.querySelector('button');
      button?.setAttribute('role', 'tab');
      item.setAttribute('role', 'none');
    }
    for (const item of root.querySelectorAll('li[role="none"]')) {
      const isActive = String(item.classList.contains('graphiql-tab-active'));
      const button = item.querySelector('button');
      if (button?.getAttribute('aria-selected') !== isActive) button?.setAttribute('aria-selected', isActive);
      if (item.hasAttribute('aria-selected')) item.removeAttribute('aria-selected');
    }
    for (const label of root.querySelectorAll('.graphiql-history-item-label[aria-label]')) label.removeAttribute('aria-label');
  };
  new MutationObserver(mend).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-selected', 'aria-label', 'class'],
  });
}
