// The file is long because it is a list: issues and notes of developers, written for this project.

/** What a developer writes under a repository: a title, and behind the bar what follows it. */
const BUGS = `TypeError: Cannot read properties of undefined when the list is empty | Calling render() on an empty list throws. It worked in the version before.
Memory leak in the worker pool | Memory grows by about 2 MB a minute until the process is killed by the kernel.
Build fails on Windows with a path error | The script joins paths with a slash, so the compiler cannot find the module.
Tooltip is cut off at the edge of the window | When the button stands at the right border only half of the tooltip is visible.
Segmentation fault when loading a model on two GPUs | Works with one device. With two it crashes right after the first batch.
Docs search returns nothing | Typing any word in the search field shows no results, the console shows a 404.
Wrong time zone in exported files | The export shows UTC although the account is set to Berlin.
Regression in 4.2: hot reload stopped working | After upgrading from 4.1.8 changes are no longer picked up until I restart the server.
Extension does not activate in remote windows | Opening a folder over SSH, the extension host logs "activation failed".
Deprecation warning printed on every import | Importing the package prints the warning thirty times, it cannot be silenced.
Cursor jumps to the end while typing | In a controlled input with a mask the caret moves behind the last character on each key press.
NaN loss after the first epoch | The loss turns into nan with mixed precision. Full precision is fine.
Camera image is upside down on some phones | Frames from the back camera are rotated by 180 degrees, metadata is ignored.
CI is red since yesterday | The job installs a newer compiler and the tests for the parser fail.
Login loop behind a proxy | After signing in I am redirected to the login page again and again.
Incorrect result for negative strides | Slicing with a step of minus two gives the wrong elements, see the snippet below.
App crashes on startup on Android 14 | The activity dies with IllegalStateException before the splash screen is gone.
Icons missing in the sidebar after update | All icons are shown as empty squares since the last release.
Terminal freezes when pasting long lines | Pasting more than 4 KB hangs the integrated terminal and I have to kill it.
Undefined reference when linking statically | The linker complains about missing symbols of the codec library.
useEffect runs twice with the new compiler | The cleanup is called although nothing changed, so the socket reconnects.
Migration fails with duplicate key | Running the migration a second time throws "duplicate key value violates unique constraint".
Stack overflow in deeply nested templates | The type checker recurses forever and ends with "Maximum call stack size exceeded".
Panic on malformed input | A truncated header makes the decoder panic instead of returning an error.
Dropdown stays open after selecting an item | Clicking an option updates the value and leaves the menu open on Safari.
Wrong colors when converting from BGR | The output is blue, the flag seems to be ignored.
ImportError: cannot import name from partially initialized module | Fresh virtual environment, Python 3.11, installed with pip.
Requests hang when the server closes the connection | No timeout fires and the promise is never settled.
Keyboard shortcut does nothing in the diff view | Pressing the keys has no effect, in the normal editor it works.
Broken link in the readme | The link to the contributing guide leads to a page that does not exist.`
const WISHES = `Support custom certificates | Companies with their own authority cannot connect. An option for a bundle would solve it.
Add a dark theme to the docs | The white page is hard to read at night.
Allow filtering by label in the sidebar | With hundreds of entries it takes long to find the right one, a filter would help.
Expose the retry delay as an option | It is fixed to one second at the moment. I would like to set it per request.
Please add async iterators to the client | Paging by hand is tedious and easy to get wrong.
Feature request: export to CSV | Our finance team needs the numbers in a spreadsheet.
Provide prebuilt binaries for ARM | Compiling on a small board takes more than an hour.
Option to hide completed tasks | It would be nice if done items could be collapsed.
Proposal: make the parser pluggable | So that projects can bring their own syntax without a fork.
Implement the new attention kernel | The paper shows a speedup of two, it could be behind a flag.
Type definitions for the plugin API | Writing plugins in TypeScript currently needs casts everywhere.
Make the sidebar width configurable | On wide screens the names are cut, a setting would be great.
Suggestion: show the line number in the error | Then one would not have to search for the place.
Add Portuguese translation | I can contribute the strings if there is interest.
Consider caching the resolved modules | Startup could be much faster for large projects.
Ability to pin tabs across windows | Pinned tabs should be shared between windows.
Add an example for streaming responses | The guide only shows whole responses, an example with streams would be useful.
Support for Python 3.13 | Wheels for the new release would be appreciated.
Let users choose the default branch | New repositories should follow the setting of the organisation.
Wrapper for the bilateral filter on GPU | There is one for CPU only, a GPU version would be welcome.
Drop support for Node 16 | It is out of maintenance and blocks newer syntax.
Improve the message for missing keys | It should name the key and the file.
Add keyboard navigation to the tree view | Arrow keys should move between nodes for accessibility.
Introduce a hook for cleanup before exit | Something like onBeforeExit so that plugins can close connections.
Enhancement: batch updates in the store | Several changes in one tick should cause one render.
Would love a plugin for Neovim | Many of us do not use the official editor.
Allow passing a signal to cancel the request | AbortSignal is supported everywhere now.
Add quantized versions of the pretrained weights | They would fit on phones.
Please support wildcard hosts in the config | We have hundreds of tenants under one domain.
Request: keep scroll position when going back | The list should remember where I was.`
const QUESTIONS = `How to use the cache with several workers? | I read the guide but do not see how workers share it. Is there an example?
Is it possible to train on CPU only? | I do not have a GPU. Which settings do I need?
What is the difference between render and hydrate? | Both seem to do the same in my app.
How can I access the camera from a web view? | I searched the docs and found nothing about permissions.
Question about the license for commercial use | May we ship the compiled library with our product?
Why is the effect called before the layout? | I want to understand whether this is intended.
How do I convert a saved model to the new format? | The old script is gone. What is the recommended way?
Does this work with PostgreSQL 16? | The table of supported versions ends at 15.
Can someone explain the threshold parameter? | The docs say "sensitivity" and I do not know what a good value is.
Where is the configuration stored on Linux? | I would like to back it up.
Help with setting up the project on a Mac | I followed the steps and am not sure what comes next. Any hint is welcome.
Which version should I use with CUDA 12? | There are three packages with similar names.
How to get the index of the selected row | I have a table with selection and need the index in the handler. Thanks in advance.
[Question] Meaning of the last column in the output | The file has seven columns and the readme explains six.
Should I call dispose myself? | It is not clear to me who owns the object.
What does "unstable" mean in the name of the function? | Can we rely on it in production?
Understanding the scheduling of updates | I am reading the source and wonder why two queues are needed. Could someone point me to a document?
Is there a way to disable the banner? | I could not find a setting for that.
How should I structure a project with several entry points? | Looking for best practice.
Any plans to support WebGPU? | Just curious about the roadmap.
How to fine-tune with my own dataset | My images have different sizes. Do I have to crop them first?
Need help reading the calibration file | What is the order of the coefficients in the matrix?
Usage with Docker Compose | Does anyone have a working file they can share?
Can I use this in a Chrome extension? | The bundle seems to need eval.
What is the right way to mock the client in tests? | I tried two approaches and wonder which one is recommended.
How does the lookup decide between two matches? | I did not find it in the reference.
Is the order of callbacks guaranteed? | My code depends on it and I would like to be sure.
Difference between the two constructors | Which one is meant for users?
How to print intermediate layers | I want to see what the network does, is there a helper?
Do I need a key for the public endpoint? | The quickstart does not mention one.`
const CHORES = `Bump acme-sdk from 1.2.3 to 1.2.4 | Bumps acme-sdk from 1.2.3 to 1.2.4. Release notes sourced from the releases.
chore(deps): bump lodash from 4.17.20 to 4.17.21 | Bumps lodash from 4.17.20 to 4.17.21. Commits are listed below.
acme-sdk bump to 3.0 | Updates the lock file, no other changes.
Update dependency typescript to v5.4.2 | This PR contains the following updates.
build(deps-dev): bump eslint from 8.1.0 to 8.2.0 in /web | Dependabot will resolve any conflicts with this PR.
Merge pull request #123 from acme/fix-login | Merge branch into main
Merge branch 'main' into release/2.4 | 
Upgrade the sdk to 2.1 | Changes the version in package.json.
bump version to 0.9.1 | 
Refactor the session store | No change in behaviour, moves the code to its own file.
ci: pin the runner image | 
Rename variables in the parser for clarity | Follows the style guide.
deps: update acme-client to 1.8.0 | 
Fix typo in a comment | 
Revert "Refactor the session store" | This reverts commit 4f2a91c.
test: cover the empty case | Adds two tests.
lockfile maintenance | 
Bump the acme-sdk group across 1 directory with 3 updates | Bumps the group with 3 updates.`

/** The forms that projects ask for, around what was written; most issues have none. */
const FORMS: Record<IssueSeed['purpose'], readonly string[]> = {
  bug_report: [
    '{title}\n{body}',
    '{title}\n### Describe the bug\n{body}\n### To Reproduce\nSee above\n### Expected behavior\nIt should ' +
      'work.\n### System information\nUbuntu 22.04',
    '{title}\n**Steps to reproduce**\n1. Install\n2. Run\n**Actual behavior**\n{body}\n**Environment**\nVersion ' +
      '2.3.1, macOS 14',
    '{title}\n{body}\nDoes this happen without extensions? Yes. Version: 1.80. OS: Windows 11. Steps to ' +
      'Reproduce: 1. 2.',
  ],
  feedback: [
    '{title}\n{body}',
    '{title}\n### Is your feature request related to a problem?\n{body}\n### Describe the solution you would ' +
      'like\nSee the title.\n### Alternatives\nNone',
    '{title}\n### Describe the feature and the motivation\n{body}\n### Additional context\nNone',
  ],
  question: [
    '{title}\n{body}',
    '{title}\n### Question\n{body}\n```js\nconst one = create(options)\nawait one.run()\n```',
    '{title}\nHi, {body} Thanks!\nVersion 2.1 on Ubuntu, installed with pip',
  ],
  none: ['{title}\n{body}'],
}

export interface IssueSeed {
  title: string
  text: string
  purpose: 'bug_report' | 'feedback' | 'question' | 'none'
}

export function issueSeeds(): IssueSeed[] {
  const kinds = { bug_report: BUGS, feedback: WISHES, question: QUESTIONS, none: CHORES } as const
  return (Object.keys(kinds) as IssueSeed['purpose'][]).flatMap((purpose) =>
    kinds[purpose].split('\n').flatMap((line, at) => {
      const [title, body = ''] = line.split(' |')
      const forms = FORMS[purpose]
      // Every issue as it is, and once more in one of the forms.
      return [forms[0]!, forms[at % forms.length]!]
        .filter((form, nth) => nth === 0 || form !== forms[0])
        .map((form) => ({ title: title!, text: filled(form, title!, body), purpose }))
    }),
  )
}

function filled(form: string, title: string, body: string): string {
  return form.replace('{title}', title.trim()).replace('{body}', body.trim()).trim()
}
