/** A script for the page: characters of the longest text node there is. */
export const longestTextNode = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let longest = 0;
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.tagName === 'SCRIPT') continue;
    longest = Math.max(longest, walker.currentNode.nodeValue.length);
  }
  return longest;
})()`;
