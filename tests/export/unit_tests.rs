// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unit tests become rows of `tests`.
// rustc-args: --test
// has: {"path":"adds","function":
// has: {"path":"inner::ignored","function":
// has: "should_panic":{"expected":"out of"}
// has: "should_panic":{"expected":null}
// has: "ignored":true
#[test]
fn adds() {
    assert_eq!(std::hint::black_box(1) + 1, 2);
}

mod inner {
    #[test]
    #[ignore]
    fn ignored() {}

    #[test]
    #[should_panic]
    fn panics() {
        panic!();
    }

    #[test]
    #[should_panic(expected = "out of")]
    fn bounds() {
        let v = [1, 2, 3];
        std::hint::black_box(v[std::hint::black_box(7)]);
    }
}
